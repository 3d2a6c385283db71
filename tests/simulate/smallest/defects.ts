/** Deliberate defects of the smallest world: each must be found among its states, or the laws are not worth their name. */
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Planted } from './phone.ts'

const withStates = (store: QueueStore, change: (honest: QueueStore) => Partial<QueueStore>): QueueStore => ({
  ...store,
  ...change(store),
  within: (hold) => withStates(store.within(hold), change),
})

/** What happened is not written. */
const notPutting = (event: StateEvent): Planted => ({
  store: (store) =>
    withStates(store, ({ put }) => ({
      put: async (items, happened, facts) => {
        if (happened !== event) await put(items, happened, facts)
      },
    })),
})

/** Answers to writes are taken for something else. */
const answering = (change: (outcome: Outcome) => Outcome): Planted => ({
  api: (api) => ({ ...api, write: async (call, hold) => change(await api.write(call, hold)) }),
})

const ACCEPTED: Outcome = { kind: 'accepted', status: 200, body: { id: 'x1' }, total: null }
const ABSENT: Outcome = { kind: 'missing', status: 404, reasons: [] }

export const smallestDefects: readonly { name: string; planted: Planted }[] = [
  {
    name: 'no read-back after a lost answer',
    planted: {
      api: (api) => ({
        ...api,
        fresh: {
          read: (path, query) =>
            path.startsWith('request/') ? Promise.resolve(ABSENT) : api.fresh.read(path, query),
        },
      }),
    },
  },
  { name: '"accepted" is not written before the record is settled', planted: notPutting('accepted') },
  {
    name: '"accepted" is written before the call',
    planted: {
      store: (store) =>
        withStates(store, ({ put }) => ({
          async begin(items, payload) {
            await put(items, 'accepted', { payload })
            return true
          },
        })),
    },
  },
  { name: 'a list writes over what is unsent', planted: { pullOverwrites: true } },
  {
    name: 'an acceptance drops what was saved later',
    planted: {
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
  {
    name: 'unknown is taken for accepted',
    planted: answering((outcome) => (outcome.kind === 'unknown' ? ACCEPTED : outcome)),
  },
  {
    name: 'refused is taken for accepted',
    planted: answering((outcome) => (outcome.kind === 'refused' ? ACCEPTED : outcome)),
  },
]
