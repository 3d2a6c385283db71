import type { QueueStore } from './change-store.ts'

/** One change at a time, over all tabs. */
export const sendLock = (store: Pick<QueueStore, 'name'>) => `genba-send-${store.name}`
