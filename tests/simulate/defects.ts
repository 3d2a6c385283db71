/**
 * Deliberate defects: the engine with one rule taken out, by wrapping a part that it is given. Each must be caught within
 * 500 seeds, or the witness is not worth its name.
 */
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import { factsOf } from '#sync/changes/send-adapter.ts'
import { ACCEPTED, answering } from './answering.ts'
import type { Defect, Planted } from './defect.ts'
import { editDefects } from './edit-defects.ts'
import { beginning, notPutting, withStates } from './states-changed.ts'
import { outageDefects } from './outage-defects.ts'
import { photoDefects } from './photo-defects.ts'
import { recordDefects } from './record-defects.ts'
import { stormDefects } from './storm-defects.ts'

const noLock: Defect = { locks: () => ({ request: (_, run) => run({ allows: () => true }) }) }

const stamped =
  (stampOf: (change: { id: string; stamp: string }, index: number) => string): NonNullable<Defect['store']> =>
  (store) => ({
    ...store,
    records: async (places) =>
      (await store.records(places)).map((record) => ({
        ...record,
        changes: record.changes.map((change, index) => ({ ...change, stamp: stampOf(change, index) })),
      })),
  })

const withoutEntry = (record: PendingRecord): PendingRecord => ({
  ...record,
  changes: record.changes.some(({ kind }) => kind === 'exit')
    ? record.changes.filter(({ kind }) => kind !== 'entry')
    : record.changes,
})

const turned = (text: string) => text.split('').toReversed().join('')

export const defects: readonly Planted[] = [
  {
    name: 'no read-back before a second POST',
    defect: { resource: (row) => ({ ...row, readBack: async () => ({ kind: 'absent' }) }) },
  },
  {
    name: 'an entry is not looked for whose second the CRM refuses',
    defect: { resource: (row) => ({ ...row, isKnownAgain: false }) },
  },
  { name: '"sending" is not written before the call', defect: beginning([]) },
  { name: 'no lock around a call', defect: noLock },
  {
    name: 'a hold of a lock has no end for the tab that has it',
    slow: true,
    defect: {
      locks: (locks) => ({
        request: (name, run, patience) => locks.request(name, () => run({ allows: () => true }), patience),
      }),
    },
  },
  { name: '"accepted" is not written', defect: notPutting('accepted') },
  {
    name: 'an answer that comes late is told to a row that was accepted',
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          async put(items, event, facts) {
            await put(items, event, facts)
            if (event === 'accepted') await put(items, 'lost', { status: 504 })
          },
        })),
    },
  },
  {
    name: 'a change that expired is given up',
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          async put(items, event, facts) {
            await put(items, event, facts)
            if (event === 'expired') await put(items, 'discarded')
          },
        })),
    },
  },
  {
    name: 'an acceptance drops what was saved later',
    defect: {
      store: (store) =>
        withStates(store, ({ put, putById }) => ({
          async put(items, event, facts) {
            await put(items, event, facts)
            if (event !== 'accepted') return
            for (const { record, change } of items)
              for (const { id, stamp } of record.changes)
                if (stamp > change.stamp) await putById(id, 'discarded')
          },
        })),
    },
  },
  { name: 'order by id, not by stamp', defect: { store: stamped(({ id }) => turned(id)) } },
  {
    name: "whoever is signed in sends another user's changes",
    slow: true,
    defect: {
      sessions: (sessions, { userId }) => ({
        ...sessions,
        async read() {
          const session = await sessions.read()
          return session && { ...session, userInfo: { ...session.userInfo, id: userId } }
        },
      }),
    },
  },
  {
    name: 'a write is tried again on a network error',
    defect: {
      http: (http) => async (call) => {
        const answer = await http(call)
        return answer.kind === 'no-answer' && call.method !== 'GET' ? http(call) : answer
      },
    },
  },
  {
    name: '破棄 takes all changes of the record',
    slow: true,
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          async put(items, event, facts) {
            const all = items.flatMap((item) => item.record.changes.map((change) => ({ ...item, change })))
            await put(event === 'discarded' ? all : items, event, facts)
          },
        })),
    },
  },
  {
    name: '破棄 of a change leaves what hangs on it',
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          put: (items, event, facts) => put(event === 'discarded' ? items.slice(0, 1) : items, event, facts),
        })),
    },
  },
  {
    name: 'a write of a state takes a wish with it',
    slow: true,
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          // The wish as it was when the change was read, before the call.
          put: (items, event, facts = {}) =>
            put(items, event, (item) => ({ ...factsOf(facts, item), wish: item.progress?.wish ?? 'none' })),
        })),
    },
  },
  {
    name: 'a call begins for what is to be discarded',
    slow: true,
    defect: {
      store: (store) =>
        withStates(store, ({ begin }) => ({
          begin: async (items, payload, facts) => (await begin(items, payload, facts)) || true,
        })),
    },
  },
  {
    name: '再送 posts without reading back',
    defect: {
      store: (store) =>
        withStates(store, ({ putById }) => ({
          putById: (id, event, facts) => putById(id, event === 'resentInDoubt' ? 'resent' : event, facts),
        })),
    },
  },
  {
    name: 'refused is taken for accepted',
    defect: answering((outcome) => (outcome.kind === 'refused' ? ACCEPTED : outcome)),
  },
  {
    name: '404 is taken for accepted',
    defect: answering((outcome) => (outcome.kind === 'missing' ? ACCEPTED : outcome)),
  },
  {
    name: 'unknown is taken for never sent',
    defect: answering((outcome) => (outcome.kind === 'unknown' ? { kind: 'unreachable' } : outcome)),
  },
  {
    name: 'unknown is taken for accepted',
    defect: answering((outcome) =>
      outcome.kind === 'unknown'
        ? { kind: 'accepted', status: 200, body: { id: 'x' }, total: null }
        : outcome,
    ),
  },
  {
    name: 'a refused change blocks the queue',
    defect: answering((outcome) =>
      outcome.kind === 'refused' ? { kind: 'throttled', status: 429, retryAfterMs: 0 } : outcome,
    ),
  },
  {
    name: '5xx is never counted',
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          put: (items, event, facts = {}) =>
            put(items, event, (item) => ({ ...factsOf(facts, item), serverErrors: 0 })),
        })),
    },
  },
  { name: '"accepted" is written before the answer', defect: beginning(['began', 'accepted']) },
  {
    name: 'purging takes all changes',
    defect: {
      store: (store) =>
        withStates(store, () => ({
          async purge() {
            for (const { id } of await store.open()) await store.putById(id, 'discarded')
          },
        })),
    },
  },
  { name: 'the clock forgets its last stamp', defect: { forgetsStamps: true } },
  {
    name: 'an acceptance does not say what the CRM has since',
    defect: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          put: (items, event, facts = {}) =>
            put(items, event, (item) => {
              const { result: _, ...rest } = factsOf(facts, item)
              return rest
            }),
        })),
    },
  },
  { name: 'what is open is not asked for at the start', defect: { noResume: true } },
  { name: 'a pull takes the changes of a record', slow: true, defect: { pullTakesChanges: true } },
  { name: 'logout clears the queue', defect: { logoutClears: true } },
  {
    name: 'an exit goes before its entry',
    defect: {
      store: (store) => ({
        ...store,
        records: async (places) => (await store.records(places)).map(withoutEntry),
        async record(resource, key) {
          const record = await store.record(resource, key)
          return record && withoutEntry(record)
        },
      }),
    },
  },
  ...editDefects,
  ...outageDefects,
  ...photoDefects,
  ...recordDefects,
  ...stormDefects,
]
