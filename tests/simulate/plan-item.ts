/** What a plan is made of. */
import type { FailingName, FaultName } from './faults.ts'

export interface Config {
  devices: number
  tabs: number
  users: number
  /** Two tabs send at once, as if the election had failed. */
  allLead: boolean
  /** The CRM honours Idempotency-Key: only then may a POST arrive twice, or long after it was read back. */
  honourIdempotency: boolean
  tokenLifeMs: number
  /** The CRM answers 500 to every entry of the last request, for ever. */
  poison: boolean
  /** RxDB's checkpoint says at a start that everything was pushed (trap 3). */
  checkpointLies: boolean
  /** So late a tab hears what another one wrote. */
  hearsLateMs: number
  /** What the CRM's reads of one record name its state with; with a strong one it honours If-Match. */
  etags: 'none' | 'strong' | 'weak'
  /** The file store answers nobody, until long after the last fault. */
  filesDown: boolean
  /** The file store answers 500 to the first photo of the run, for ever. */
  poisonPhoto?: true
  /** The CRM never says where the photos of a record go. */
  untold?: true
  /** The CRM's answers have no `Date`. */
  undated?: true
  /** The CRM stores what it is sent in a spelling of its own: texts by these, one after the other, codes in its own order. */
  storings?: readonly string[]
  /** Nothing is wrong with what is saved, and nobody else is at it: whatever is refused is refused wrongly. */
  healthy?: true
}

export const ACTIONS = [
  'entry',
  'entries',
  'exit',
  'edit',
  'bulkExit',
  'resend',
  'discard',
  'pull',
  'logout',
  'login',
  'switchUser',
  'closeTab',
  'crashDevice',
  'hang',
  'radioOff',
  'radioOn',
  'clock',
  'otherEnters',
  'otherEdits',
  'confirms',
  'removes',
  'expireTokens',
] as const
export type ActionName = (typeof ACTIONS)[number]

/** What is saved beside quick reports, and what the office makes of it. */
export const RECORD_ACTIONS = ['note', 'emergency', 'safety', 'parking', 'contact'] as const
export type RecordActionName = (typeof RECORD_ACTIONS)[number]

export const PHOTO_ACTIONS = [
  'photo',
  'photos',
  'photoEntry',
  'renamePhoto',
  'deletePhoto',
  'resendPhoto',
  'discardPhoto',
] as const
export type PhotoActionName = (typeof PHOTO_ACTIONS)[number]

export type StrikeName = 'crashBefore' | 'crashAfter' | 'quota'

export type OutageName = '503' | '503 Retry-After' | '429 Retry-After' | '401' | '500' | '502 page' | 'reset'

export type Item =
  | {
      kind: 'action'
      at: number
      device: number
      tab: number
      act: ActionName | PhotoActionName | RecordActionName | 'officeEdits'
      chance: number
    }
  /** The n-th call of the run to the CRM, or to the file store. */
  | { kind: 'fault'; lane?: 'files'; call: number; fault: FaultName; chance: number }
  /** The CRM, or the file store, is down from `at` for `ms`; what answers the probe is up. */
  | { kind: 'outage'; lane?: 'files'; at: number; ms: number; answer: OutageName }
  /** For a while the CRM, or what stands in front of it, answers its API like that. */
  | { kind: 'failing'; at: number; ms: number; what: FailingName }
  /** Nothing can be written on any phone for a while. */
  | { kind: 'full'; at: number; ms: number }
  /** The n-th write of the run, or of photos. */
  | { kind: 'strike'; lane?: 'photos'; write: number; strike: StrikeName; whole: boolean }

export interface Plan {
  seed: number
  config: Config
  items: Item[]
}
