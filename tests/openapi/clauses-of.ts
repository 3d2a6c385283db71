/** Which clauses of the conformance test speak of a call: its own, and those of all that are like it. */
import type { Operation } from './operation.ts'

/** Clock, number of calls, other origin, gateway. */
export const CLAUSES_OF_ALL = ['F1', 'J1', 'J2', 'J3', 'K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'L2', 'L4']

const traits: readonly [(operation: Operation) => boolean, string[]][] = [
  [({ guard }) => guard === 'signed' || guard === 'bearer', ['A4', 'A9']],
  [({ guard }) => guard === 'bearer', ['A5', 'L1']],
  [({ guard }) => guard === 'fileToken', ['I2', 'I8']],
  [({ method, missing }) => method === 'GET' && missing === true, ['B11']],
  [({ method, tagged }) => method === 'GET' && tagged === true, ['C1', 'C2', 'C3', 'F2', 'L3']],
  [({ method, tagged }) => method === 'PUT' && tagged === true, ['C4', 'C5']],
  [({ method }) => method === 'PUT', ['D7', 'D20', 'F3', 'G1', 'G2', 'G3', 'H15']],
  [({ creates }) => creates === true, ['D20', 'E1', 'E2', 'E3', 'E5', 'E6', 'F3', 'G1', 'G2', 'G4', 'H15']],
]

const inOrder = (a: string, b: string) =>
  a.charCodeAt(0) - b.charCodeAt(0) || Number(a.slice(1)) - Number(b.slice(1))

export function clausesOf(operation: Operation): string[] {
  const shared = traits.flatMap(([has, numbers]) => (has(operation) ? numbers : []))
  return [...new Set([...operation.clauses, ...shared])].toSorted(inOrder)
}
