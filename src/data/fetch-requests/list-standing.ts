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
export type Away = 'reading' | 'absent' | 'failed'

export type ListStanding = { state: Away | 'none' } | { state: 'rows'; rest: Away | null }

interface Known {
  /** Records of the list on the device; undefined until it was read. */
  count: number | undefined
  /** Whether the list was read and is on the device (`isListRead$`); undefined until that was looked up. */
  isRead: boolean | undefined
  /** What became of the question to the CRM; undefined until that was looked up, null: nobody has asked. */
  asked: Interest['state'] | null | undefined
  online: boolean
}

export function listStanding({ count, isRead, asked, online }: Known): ListStanding {
  if (count === undefined || isRead === undefined) return { state: 'reading' }
  if (count > 0) return { state: 'rows', rest: isRead ? null : awayOf(asked, online) }
  return { state: isRead ? 'none' : awayOf(asked, online) }
}

/** Of what was not read. An answer comes with its mark, so without one it is still on its way. */
export function awayOf(asked: Known['asked'], online: boolean): Away {
  if (asked === undefined) return 'reading'
  if (!online) return 'absent'
  return asked === 'failed' || asked === 'missing' ? 'failed' : 'reading'
}
