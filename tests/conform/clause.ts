/** A clause of the contract as a case: its number never changes, a new clause gets a new one. */
import type { Bench } from './bench.ts'

export interface Clause {
  /** Letter of the group and number: `B2`. */
  id: string
  title: string
  /** must: the app does not work rightly without. wish: it goes on without, see `without`. */
  level: 'must' | 'wish'
  /** read: changes nothing. full: makes and changes records of its own. */
  mode: 'read' | 'full'
  /** What the app does where the CRM has it not. Every wish says so. */
  without?: string
  run: (bench: Bench) => Promise<void>
}

export type Case = Omit<Clause, 'level' | 'mode'>

const level =
  (l: Clause['level'], mode: Clause['mode']) =>
  (cases: Case[]): Clause[] =>
    cases.map((each) => ({ ...each, level: l, mode }))

export const mustWhenReading = level('must', 'read')
export const mustWhenWriting = level('must', 'full')
export const wishWhenReading = level('wish', 'read')
export const wishWhenWriting = level('wish', 'full')

/** By letter, then by number. */
export const byNumber = (a: Clause, b: Clause) =>
  a.id.charCodeAt(0) - b.id.charCodeAt(0) || Number(a.id.slice(1)) - Number(b.id.slice(1))
