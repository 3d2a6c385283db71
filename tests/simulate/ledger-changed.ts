/** The queue's store with a ledger that breaks a rule: for planted defects. */
import { factsOf, type FactsOf, type Ledger } from '#sync/changes/ledger.ts'
import type { LedgerEvent } from '#schemas/send-state.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { Defect } from './defect.ts'

export const withLedger = (store: QueueStore, change: (ledger: Ledger) => Partial<Ledger>): QueueStore => {
  const honest = { ...store.ledger }
  return { ...store, ledger: { ...honest, ...change(honest) } }
}

/** What happened is not written. */
export const notPutting = (event: LedgerEvent): Defect => ({
  store: (store) =>
    withLedger(store, ({ put }) => ({
      put: async (items, happened, facts) => {
        if (happened !== event) await put(items, happened, facts)
      },
    })),
})

/** What is written before a call, without a look at what is there. */
export const beginning = (events: readonly LedgerEvent[]): Defect => ({
  store: (store) =>
    withLedger(store, ({ put }) => ({
      begin: async (items, payload, facts = {}) => {
        const begun: FactsOf = (item) => ({ ...factsOf(facts, item), payload })
        for (const event of events) await put(items, event, begun)
        return true
      },
    })),
})
