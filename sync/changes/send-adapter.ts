/**
 * What `attempt.ts`, which has the steps of sending, knows of its items: changes of records (`send-change.ts`) and uploads,
 * renames and deletions of photos (`photos/send-photo.ts`), and how both store their send states (RULES OC1–OC3).
 */
import type { Change, Progress, SendFacts, StoredState } from '#schemas/change.ts'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { afterEvent, type StateEvent } from '#schemas/send-state.ts'
import { mayWrite, type Lease } from '#sync/leadership/lease.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Faults, LateChecks } from './failure-attribution.ts'
import { filter, map, merge, type Observable } from 'rxjs'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { SyncDatabase, Write } from '#sync/storage/database.ts'

/** Values stored with a state: for a change, the record as the CRM has it; for a photo, the place of its file. */
export type StateFacts = Partial<Omit<Progress, 'state'>> &
  Partial<Pick<SendFacts, 'serverId'>> &
  Pick<Change, 'result' | 'replaced'> &
  Partial<Pick<PhotoRecord, 'fileSeq' | 'folderId' | 'storeName'>>

export type StatedItem = Pick<QueueItem, 'record' | 'change' | 'progress'>

/** The same for all items, or by item. */
export type FactsOf<I extends StatedItem = StatedItem> = StateFacts | ((item: I) => StateFacts)
export const factsOf = <I extends StatedItem>(facts: FactsOf<I>, item: I): StateFacts =>
  typeof facts === 'function' ? facts(item) : facts

/** What the stores of changes and of photos have in common: the writes of send states. */
export interface SendStates {
  sendFacts(ids: readonly string[]): Promise<Map<string, SendFacts>>
  /**
   * Writes `sending` before a call leaves.
   * @returns false if the user discarded an item or changed what a photo needs: the call must not leave (SV2)
   * @throws StateChanged if another tab has changed an item's state since it was read
   */
  begin(items: readonly StatedItem[], payload: string, facts?: FactsOf): Promise<boolean>
  /** Writes an event. Resolves when it is on disk. An event that a state does not allow is only reported. */
  put<I extends StatedItem>(items: readonly I[], event: StateEvent, facts?: FactsOf<I>): Promise<void>
  putById(id: string, event: StateEvent, facts?: StateFacts): Promise<void>
  /** Resets `wish`, the user's request 再送 or 破棄, after it was applied. A request made meanwhile stays. */
  clearWish(id: string, wish: Progress['wish']): Promise<void>
}

/** Thrown if the stored item has changed since it was read. */
export class StateChanged extends Error {}
/** Thrown if the user has discarded the item or changed what is to be sent. */
class Unwanted extends Error {}

export type Report = (problem: string) => void

interface StateParts<R> {
  write(writes: ReadonlyMap<string, Write<R>>): Promise<void>
  /** A write after its end throws. */
  lease?: Lease | undefined
  /** Receives events that the current state does not allow. */
  report?: Report | undefined
  /** The document after an event of an item that it no longer is, such as one that was discarded; null if it still is. */
  otherwise(stored: R, item: StatedItem, event: StateEvent, facts: StateFacts): R | null
  factsFor?(stored: R, item: StatedItem, event: StateEvent, facts: StateFacts): StateFacts
  /** Completes the document after an event. */
  adjust(before: R, after: R, event: StateEvent): R
  /** Other items whose documents are removed in the same write. */
  endedWith?(item: StatedItem, event: StateEvent): readonly { id: string }[]
}

/** Creates the writes of `SendStates`. `modify` changes one document, and `after` computes it after an event. */
export function stateWrites<R extends Progress & { resource: string; kind?: string }>(parts: StateParts<R>) {
  const { lease, report, otherwise, adjust, endedWith, factsFor = (...[, , , facts]) => facts } = parts
  const write = (id: string, change: Write<R>): [string, Write<R>] => [
    id,
    (document) => {
      mayWrite(lease)
      return change(document)
    },
  ]
  const modify = (id: string, change: (document: R) => R) =>
    parts.write(new Map([write(id, (document) => document && change(document))]))
  /** Unchanged, and reported, if the document's state does not allow the event. */
  function after(document: R, event: StateEvent, facts: StateFacts): R {
    const { state: before, resource, kind = '' } = document
    const state = afterEvent(before, event)
    if (state === null) report?.(`states: ${event} in state ${before}, ${resource} ${kind}`)
    return adjust(document, state === null ? document : { ...document, ...facts, state }, event)
  }
  function afterCall(document: R, item: StatedItem, event: StateEvent, facts: StateFacts): R {
    const other = otherwise(document, item, event, facts)
    const isBeginning = event === 'began'
    if (isBeginning && (other || document.wish === 'discard')) throw new Unwanted(item.change.id)
    if (other) return other
    const isSame = document.state === (item.progress?.state ?? 'waiting')
    if (isBeginning && !isSame) throw new StateChanged(document.state)
    const next = after(document, event, factsFor(document, item, event, facts))
    if (isBeginning && next.state !== 'sending') throw new StateChanged(document.state)
    return next
  }
  const put: SendStates['put'] = (items, event, facts = {}) => {
    const writes = items.flatMap((item) => {
      const own = factsOf(facts, item)
      const change = write(item.change.id, (document) => {
        // The user has undone the save, or this tab has not heard of it yet. No call may leave without its state (OC3).
        if (!document && event === 'began') throw new StateChanged('absent')
        return document && afterCall(document, item, event, own)
      })
      return [change, ...(endedWith?.(item, event) ?? []).map(({ id }) => write(id, () => null))]
    })
    return parts.write(new Map(writes))
  }
  const writes = {
    put,
    begin: (items, payload, facts = {}) =>
      put(items, 'began', (item) => ({ ...factsOf(facts, item), payload })).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Unwanted) return false
          throw error
        },
      ),
    putById: (id, event, facts = {}) => modify(id, (document) => after(document, event, facts)),
    clearWish: (id, wish) =>
      modify(id, (document) => (document.wish === wish ? { ...document, wish: 'none' } : document)),
  } satisfies Omit<SendStates, 'sendFacts'>
  return { after, modify, writes }
}

/** How sending ended. `blocked`: without a usable answer. */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome }

/** `more`: the item needs another attempt at once. */
export type AttemptEnd = Step | { kind: 'more' }

export const DONE = { kind: 'done' } as const
/** The CRM has no effect of an earlier call. */
export const ABSENT: Extract<ReadBack<never>, { kind: 'absent' }> = { kind: 'absent' }

export interface Sending {
  store: SendStates
  /** Epoch milliseconds of the trusted clock (RULES EX3). */
  now: () => number
  userId: string
  faults: Faults
  readBacks: LateChecks
  wake: (ms: number) => void
  lease?: Lease | undefined
}

/** `elapsed`: a monotonic clock, ms. `wait` throws GateClosed if sync stops. `failed` receives storage errors. */
export interface HandlerParts {
  elapsed: () => number
  wait: (ms: number) => Promise<void>
  failed: (error: unknown) => void
}

/** The result of reading whether an earlier call has arrived. `made`: what that call has created or changed. */
export type ReadBack<M> =
  | { kind: 'there'; made: M }
  /** `etag`: the strong ETag of the state that an edit was merged with, if the CRM sends one. */
  | { kind: 'absent'; etag?: string | undefined }
  | { kind: 'failed'; outcome: Outcome }
  /** The read-back has ended the item, so it needs no call. `step` is the result of the attempt. */
  | { kind: 'ended'; step: AttemptEnd }

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>

/** The result of a call. `messages`: texts of the CRM that are shown to the user (spec 8). */
export type Sent<M> = { kind: 'made'; made: M; messages?: string[] } | NotAccepted

/** The end of an item as 失敗 or 期限切れ. Only the user can send the item again. */
export interface Parking {
  kind: 'park'
  as: 'refused' | 'expired'
  reasons: string[]
  status?: number | undefined
}

export type Plan<J, M> =
  /** One call for several jobs. `facts` are stored with the state `sending`, before the call leaves. */
  | {
      kind: 'call'
      jobs: J[]
      payload: string
      facts?: FactsOf
      send(lease: Lease | undefined): Promise<Sent<M>>
    }
  | Parking
  /** An earlier step that the call needs, such as creating a folder, failed. */
  | { kind: 'failed'; outcome: NotAccepted }
  /** `more`: the item has changed since the read-back and must be loaded again. */
  | { kind: 'more' | 'done' }

export interface SendAdapter<J extends QueueItem, M> {
  work: Sending
  /** True if a late call could take effect in addition to a new one, so that two read-backs are needed (RULES OC9). */
  needsSecondReadBack(job: J): boolean
  readBack(job: J): Promise<ReadBack<M>>
  /** Returns what prevents sending, such as a missing record; null if nothing does. It prevents 期限切れ as well. */
  findBlocker?(job: J): Promise<Plan<J, M> | null>
  plan(job: J, readBack: { etag?: string | undefined }): Promise<Plan<J, M>>
  /** Reads back after a refusal, because the CRM may have applied an earlier call. */
  readBackAfterRefusal?(job: J): Promise<ReadBack<M>>
  /** Called when a call for several jobs failed: each job is sent in its own call from then on (RULES OR3). */
  sendIndividually?(jobs: readonly J[]): void
  /** True if many changes in a row were refused without a reason, so that the CRM is at fault (RULES OC7). */
  isSharedFailure?(items: readonly QueueItem[]): Promise<boolean>
  acceptedFacts?(job: J, made: M): StateFacts
  /** Called after the acceptance was stored. @returns `more` if the item needs another attempt */
  settle?(job: J, made: M): Promise<AttemptEnd>
}

type Details = Pick<SendFacts, 'resource' | 'kind' | 'status' | 'serverErrors' | 'wish'>

export interface Transition extends Details {
  /** Id of the change, or key of the photo. */
  change: string
  /** null for a new change or photo. */
  from: StoredState | null
  to: StoredState
}

/** Reports every transition of a send state in any tab, for diagnostics. */
export const transitions$ = (db: SyncDatabase): Observable<Transition> =>
  merge(db.changes.$, db.photos.$).pipe(
    // A photo without a stamp was found in a list of the file store. This device sends nothing for it.
    filter(({ operation, documentData }) => operation !== 'DELETE' && documentData.stamp !== ''),
    map(({ documentData, previousDocumentData: before }) =>
      transitionOf(factsIn(documentData), before ? factsIn(before as Change | PhotoRecord) : null),
    ),
    filter((transition) => transition !== null),
  )

/** The send state of a change or photo. */
export const factsIn = (document: Change | PhotoRecord): SendFacts =>
  'fileSeq' in document ? photoFacts(document) : document

/** @returns null if the state and its details are unchanged */
export function transitionOf(
  { id: change, resource, kind, state: to, status, serverErrors, wish }: SendFacts,
  before: SendFacts | null,
): Transition | null {
  const isSame = before?.state === to && before.status === status && before.serverErrors === serverErrors
  if (isSame && before.wish === wish) return null
  // `kind` says what is unsent of a photo. It is empty when all is sent, and the previous kind is then reported.
  const shown = kind || (before?.kind ?? '')
  return { change, resource, kind: shown, from: before?.state ?? null, to, status, serverErrors, wish }
}
