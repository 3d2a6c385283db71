/**
 * Rules of まとめて登録: all visits have the same place and day, and none has an entry (入館一括登録) or all have an entry without
 * an exit (退館報告).
 */
import type { VisitRow } from '#data/visits/visits.ts'

export type GroupState =
  | { kind: 'none' }
  /** `entry`: no visit has an entry. `exit`: all visits have an entry and no exit. */
  | { kind: 'entry' | 'exit'; visits: VisitRow[] }
  /** The selected visits can no longer be registered together (ec00029). */
  | { kind: 'broken' }

/** Why a visit cannot be selected. `elsewhere`: another site or day than the first selected visit. */
export type NotSelectable = 'not-entered' | 'entered' | 'left' | 'elsewhere'

const keyOf = (visit: VisitRow) => visit.request.key

/** Returns what can be registered for the selected visits with the data now on the device. */
export function groupState(visits: readonly VisitRow[], selectedKeys: readonly string[]): GroupState {
  if (selectedKeys.length === 0) return { kind: 'none' }
  const chosen = visits.filter((visit) => selectedKeys.includes(keyOf(visit)))
  const [first, ...others] = chosen
  if (!first || chosen.length < selectedKeys.length || first.state === 'out') return { kind: 'broken' }
  if (others.some((visit) => whyNotSelectable(visit, first) !== null)) return { kind: 'broken' }
  return { kind: first.state === 'none' ? 'entry' : 'exit', visits: chosen }
}

/** Returns why a visit cannot be selected together with `first`, the first selected visit; null if it can. */
export function whyNotSelectable(visit: VisitRow, first: VisitRow | undefined): NotSelectable | null {
  if (visit.state === 'out') return 'left'
  if (!first || keyOf(first) === keyOf(visit)) return null
  if (visit.state !== first.state) return visit.state === 'none' ? 'not-entered' : 'entered'
  return isSamePlaceAndDay(visit, first) ? null : 'elsewhere'
}

const isSamePlaceAndDay = ({ request: a }: VisitRow, { request: b }: VisitRow) =>
  a.workingDate === b.workingDate && a.locationAreaId !== null && a.locationAreaId === b.locationAreaId
