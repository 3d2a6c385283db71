import type { Step } from './send-queue.ts'
import type { TrustedClock } from '#sync/lib/trusted-clock.ts'
import type { Api } from '#sync/scheduler/api.ts'

/** @returns what stands in the way of sending; null where it is known how old what waits is */
export type AgeCheck = () => Promise<Step | null>

/**
 * Nothing is sent before it is known how old what waits is (RULES EX2, EX3): where the clock has gone ahead by itself, the CRM
 * is asked for anything first.
 */
export const createAgeCheck =
  (time: Pick<TrustedClock, 'isInDoubt'>, api: Pick<Api, 'fresh'>, staff: string): AgeCheck =>
  async () => {
    if (!time.isInDoubt()) return null
    const outcome = await api.fresh.read('request/search', { supplierStaffId: staff, limit: 1, offset: 1 })
    return time.isInDoubt() ? { kind: 'blocked', outcome } : null
  }
