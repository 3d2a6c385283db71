import type { Sender, Step } from './sender.ts'
import type { TimeKeeper } from '../lib/time-keeper.ts'
import type { Api } from '../transport/api.ts'

/**
 * Sends once it is known how old what waits is (RULES EX2, EX3): where the clock has gone ahead by itself, the CRM is asked
 * for anything first.
 */
export async function afterAgeCheck(
  time: TimeKeeper,
  api: Api,
  staff: string,
  drain: Sender['drain'],
): Promise<Step> {
  if (time.isInDoubt()) {
    const outcome = await api.fresh.read('request/search', { supplierStaffId: staff, limit: 1, offset: 1 })
    if (time.isInDoubt()) return { kind: 'blocked', outcome }
  }
  return drain()
}
