/**
 * The state of a list on a screen. A list is shown as empty only after it was read (sync RULES PL4).
 *
 *     reading   the device or the CRM is being read
 *     none      the list was read, and is empty
 *     absent    the list is not on the device, and there is no signal
 *     failed    the list is not on the device, and the CRM did not deliver it
 *     rows      the device has rows; `rest`: reason why others are missing, or null
 */
import type { Interest } from '#schemas/device/interest.ts'

/** Reason why a list or the details of a request are not on the device. */
export type Absence = 'reading' | 'absent' | 'failed'

export type ListState = { state: Absence | 'none' } | { state: 'rows'; rest: Absence | null }

interface KnownOfList {
  /** Number of the list's records on the device; undefined until they are read. */
  count: number | undefined
  /** True if the whole list is on the device (`isListRead$`); undefined until this is known. */
  isRead: boolean | undefined
  /** State of the fetch request; null if there is none, undefined until it is read. */
  fetchState: Interest['state'] | null | undefined
  online: boolean
}

export function listState({ count, isRead, fetchState, online }: KnownOfList): ListState {
  if (count === undefined || isRead === undefined) return { state: 'reading' }
  if (count > 0) return { state: 'rows', rest: isRead ? null : absenceOf(fetchState, online) }
  return { state: isRead ? 'none' : absenceOf(fetchState, online) }
}

/** Returns why a list is not on the device. With a signal, a list is `reading` unless the fetch request has failed. */
export function absenceOf(fetchState: KnownOfList['fetchState'], online: boolean): Absence {
  if (fetchState === undefined) return 'reading'
  if (!online) return 'absent'
  return fetchState === 'failed' || fetchState === 'missing' ? 'failed' : 'reading'
}
