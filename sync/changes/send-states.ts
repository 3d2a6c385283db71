/**
 * The interface through which sync writes send states (RULES OC1–OC3). Record changes and photos store the state in
 * their own documents (`change-states.ts`, `photos/photo-store.ts`).
 */
import type { Change, Progress, SendFacts } from '#schemas/change.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { afterEvent, type StateEvent } from '#schemas/send-state.ts'
import { mayWrite, type Lease } from '#sync/leadership/lease.ts'

/**
 * Values that are stored with a state: for a change, the record as the CRM has it; for a photo, the place of its
 * file.
 */
export type StateFacts = Partial<Omit<Progress, 'state'>> &
  Partial<Pick<SendFacts, 'serverId'>> &
  Pick<Change, 'result' | 'replaced'> &
  Partial<Pick<PhotoRecord, 'fileSeq' | 'folderId' | 'storeName'>>

export type StatedItem = Pick<QueueItem, 'record' | 'change' | 'progress'>

/** Values that are the same for all items, or a function that returns the values of one item. */
export type FactsOf = StateFacts | ((item: StatedItem) => StateFacts)
export const factsOf = (facts: FactsOf, item: StatedItem): StateFacts =>
  typeof facts === 'function' ? facts(item) : facts

export interface SendStates {
  read(ids: readonly string[]): Promise<Map<string, SendFacts>>
  /**
   * Writes `sending` before a call leaves.
   * @returns false if the user discarded an item or changed what a photo needs: the call must not leave (SV2)
   * @throws StateChanged if another tab has changed an item's state since it was read
   */
  begin(items: readonly StatedItem[], payload: string, facts?: FactsOf): Promise<boolean>
  /**
   * Writes an event for these items. Resolves when the event is on disk. An event that the current state does not
   * allow changes nothing and is reported (`schemas/send-state.ts`).
   */
  put(items: readonly StatedItem[], event: StateEvent, facts?: FactsOf): Promise<void>
  putById(id: string, event: StateEvent, facts?: StateFacts): Promise<void>
  /**
   * Resets `wish`, the user's request 再送 or 破棄, after it was applied. If the user has made another request meanwhile,
   * that one stays.
   */
  clearWish(id: string, wish: Progress['wish']): Promise<void>
}

/** Thrown if the stored item has changed since it was read. */
export class StateChanged extends Error {}
/** Thrown if the user has discarded the item or changed what is to be sent. */
export class Unwanted extends Error {}

/** @returns false if `write` finds an item that the user wants to discard */
export async function unlessUnwanted(write: Promise<void>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof Unwanted) return false
    throw error
  }
}

type WithProgress = Progress & { resource: string; kind?: string }

export interface StateParts {
  /** Writes after the end of this lease throw. */
  lease?: Lease | undefined
  /** Receives events that the current state does not allow. */
  report?: Report | undefined
}

export type Report = (problem: string) => void

export function stateWriter<R extends WithProgress>({ lease, report }: StateParts) {
  const reportUnknown = ({ state, resource, kind = '' }: R, event: StateEvent) =>
    report?.(`states: ${event} in state ${state}, ${resource} ${kind}`)
  return {
    /** @returns the document after the event; unchanged if its state does not allow the event */
    after(document: R, event: StateEvent, facts: StateFacts): R {
      mayWrite(lease)
      const state = afterEvent(document.state, event)
      if (state !== null) return { ...document, ...facts, state }
      reportUnknown(document, event)
      return document
    },
    /**
     * Checks that a call may begin from the document's state (RULES OC3).
     * @throws Unwanted or StateChanged if the call may not begin
     */
    checkBegin({ change, progress }: StatedItem, document: R): void {
      if (document.wish === 'discard') throw new Unwanted(change.id)
      if (document.state !== (progress?.state ?? 'waiting')) throw new StateChanged(document.state)
      if (afterEvent(document.state, 'began') !== null) return
      reportUnknown(document, 'began')
      throw new StateChanged(document.state)
    },
  }
}
