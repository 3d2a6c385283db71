/**
 * What may be said of a list of records (sync RULES PL4): that there is none, only where it was read.
 *
 *     reading   the device is being read, or the CRM is being asked
 *     none      it was read, and is empty
 *     absent    it is not on the device, and there is no signal
 *     failed    it is not on the device, and the CRM could not give it
 *     rows      some are there; `rest` says where the others are, null where these are all
 */
import type { Interest } from '#schemas/device/interest.ts'

/** Why something is not on the device, or not yet. */
export type Absence = 'reading' | 'absent' | 'failed'

export type ListState = { state: Absence | 'none' } | { state: 'rows'; rest: Absence | null }

interface Known {
  /** Records of the list on the device; undefined until it was read. */
  count: number | undefined
  /** Whether the list was read and is on the device (`isListRead$`); undefined until that was looked up. */
  isRead: boolean | undefined
  /** What became of the question to the CRM; undefined until that was looked up, null: nobody has asked. */
  asked: Interest['state'] | null | undefined
  online: boolean
}

export function listState({ count, isRead, asked, online }: Known): ListState {
  if (count === undefined || isRead === undefined) return { state: 'reading' }
  if (count > 0) return { state: 'rows', rest: isRead ? null : absenceOf(asked, online) }
  return { state: isRead ? 'none' : absenceOf(asked, online) }
}

/** Of what was not read. An answer comes with its mark, so without one it is still on its way. */
export function absenceOf(asked: Known['asked'], online: boolean): Absence {
  if (asked === undefined) return 'reading'
  if (!online) return 'absent'
  return asked === 'failed' || asked === 'missing' ? 'failed' : 'reading'
}
