/**
 * What a screen may say about a list of records. It only says that the list is empty after the list was read
 * (sync RULES PL4).
 *
 *     reading   the device or the CRM is being read
 *     none      it was read, and is empty
 *     absent    it is not on the device, and there is no signal
 *     failed    it is not on the device, and the CRM did not deliver it
 *     rows      some rows are there; `rest` says why others are missing, null if these are all
 */
import type { Interest } from '#schemas/device/interest.ts'

/** Why something is not on the device. */
export type Absence = 'reading' | 'absent' | 'failed'

export type ListState = { state: Absence | 'none' } | { state: 'rows'; rest: Absence | null }

interface KnownOfList {
  /** Number of the list's records on the device; undefined until it was read. */
  count: number | undefined
  /** True if the whole list is on the device (`isListRead$`); undefined until that was read. */
  isRead: boolean | undefined
  /** State of the fetch request; null if there is none, undefined until that was read. */
  fetchState: Interest['state'] | null | undefined
  online: boolean
}

/** Returns the state of a list. */
export function listState({ count, isRead, fetchState, online }: KnownOfList): ListState {
  if (count === undefined || isRead === undefined) return { state: 'reading' }
  if (count > 0) return { state: 'rows', rest: isRead ? null : absenceOf(fetchState, online) }
  return { state: isRead ? 'none' : absenceOf(fetchState, online) }
}

/**
 * Why a list that was not read is missing. A successful read sets `isRead`, so without it an answer is still
 * on its way.
 */
export function absenceOf(fetchState: KnownOfList['fetchState'], online: boolean): Absence {
  if (fetchState === undefined) return 'reading'
  if (!online) return 'absent'
  return fetchState === 'failed' || fetchState === 'missing' ? 'failed' : 'reading'
}
