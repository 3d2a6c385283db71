/**
 * The writes of send states by the sync module (RULES OC1–OC3): a change of a record and a photo each say in their own document
 * how far they are (`change-states.ts`, `photos/photo-states.ts`).
 */
import type { Change, Progress, SendFacts } from '#schemas/change.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { afterEvent, type LedgerEvent } from '#schemas/send-state.ts'
import { mayWrite, type Lease } from '#sync/leadership/lease.ts'

/** What is written beside the state: of a change its record as the CRM has it, of a photo where its file lies. */
export type StateFacts = Partial<Omit<Progress, 'state'>> &
  Partial<Pick<SendFacts, 'serverId'>> &
  Pick<Change, 'result' | 'replaced'> &
  Partial<Pick<PhotoRecord, 'fileSeq' | 'folderId' | 'storeName'>>

/** The same for all, or what is written of each. */
export type FactsOf = StateFacts | ((item: QueueItem) => StateFacts)
export const factsOf = (facts: FactsOf, item: QueueItem): StateFacts =>
  typeof facts === 'function' ? facts(item) : facts

export interface SendStates {
  /** What is known of these, or of all there are. */
  read(ids?: readonly string[]): Promise<Map<string, SendFacts>>
  /**
   * Writes `sending`, before a call leaves.
   * @returns false where one of them is to be discarded by now, or is to end otherwise: the call must not leave (SV2)
   * @throws Moved where one is not as it was read: another tab has sent it, and this one has not heard of it yet
   */
  begin(items: readonly QueueItem[], payload: string, facts?: FactsOf): Promise<boolean>
  /**
   * Writes what happened to these, on disk when it resolves. What a state does not know changes nothing, and is reported
   * (`schemas/send-state.ts`).
   */
  put(items: readonly QueueItem[], event: LedgerEvent, facts?: FactsOf): Promise<void>
  /** The same of the one with this id. */
  tell(id: string, event: LedgerEvent, facts?: StateFacts): Promise<void>
  /** Takes a wish back, unless another one was made meanwhile. */
  granted(id: string, wish: Progress['wish']): Promise<void>
}

/** A document is not as it was read. */
export class Moved extends Error {}
/** It is to be discarded. */
export class Unwanted extends Error {}

/** @returns false where `write` finds one that is to be discarded */
export async function unlessUnwanted(write: Promise<void>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof Unwanted) return false
    throw error
  }
}

type Stated = Progress & { resource: string; kind?: string }

/** Whether the call of what was read may leave; none leaves of a state that does not know it (RULES OC3). */
export const mayBegin =
  (unknown: (stated: Stated, event: LedgerEvent) => void) =>
  ({ change, ledger }: QueueItem) =>
  (stated: Stated): void => {
    if (stated.wish === 'discard') throw new Unwanted(change.id)
    if (stated.state !== (ledger?.state ?? 'waiting')) throw new Moved(stated.state)
    if (afterEvent(stated.state, 'began') !== null) return
    unknown(stated, 'began')
    throw new Moved(stated.state)
  }

export interface StateParts {
  /** Nothing is written after it. */
  hold?: Lease | undefined
  /** Told of what a state does not know. */
  report?: Report | undefined
}

export type Report = (problem: string) => void

/** What becomes of a document, and what is reported where its state does not know what happened. */
export function stating<R extends Stated>({ hold, report }: StateParts) {
  const unknown = ({ state, resource, kind = '' }: Stated, event: LedgerEvent) =>
    report?.(`states: ${event} in state ${state}, ${resource} ${kind}`)
  return {
    unknown,
    after(document: R, event: LedgerEvent, facts: StateFacts): R {
      mayWrite(hold)
      const state = afterEvent(document.state, event)
      if (state !== null) return { ...document, ...facts, state }
      unknown(document, event)
      return document
    },
  }
}
