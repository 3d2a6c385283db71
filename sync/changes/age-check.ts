import type { Step } from './send-queue.ts'
import type { TrustedClock } from '#sync/lib/trusted-clock.ts'
import type { Api } from '#sync/scheduler/api.ts'

/** Checks that the age of waiting changes is known. @returns what blocks sending; null if nothing does */
export type AgeCheck = () => Promise<Step | null>

/**
 * Nothing is sent before the age of waiting changes is known (RULES EX2, EX3). If the device's clock has jumped
 * ahead, a small request to the CRM supplies the time first.
 */
export const createAgeCheck =
  (time: Pick<TrustedClock, 'isInDoubt'>, api: Pick<Api, 'fresh'>, staff: string): AgeCheck =>
  async () => {
    if (!time.isInDoubt()) return null
    const outcome = await api.fresh.read('request/search', { supplierStaffId: staff, limit: 1, offset: 1 })
    return time.isInDoubt() ? { kind: 'blocked', outcome } : null
  }
