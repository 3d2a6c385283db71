/**
 * The ledger says where each change stands (sync RULES OC1–OC3, ST1). A change without an entry waits.
 *
 *     (none), waiting ──→ sending ──→ accepted    taken out of the record, shown as 成功 for a day
 *                 ↑          ├──────→ refused     失敗
 *                 ├ no way ──┤
 *                 │          └──────→ unknown     待機, too; read back before anything is sent again
 *                 │  unsent for a day → expired   期限切れ
 *                 └─ 再送 ── refused, expired     to unknown, where it may have arrived
 *                            not accepted ── 破棄 ──→ discarded, taken out of the record
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, RECORD_KEY_MAX } from './change.ts'
import { ID_MAX } from './limits.ts'

const ledgerState = type(
  "'waiting' | 'sending' | 'unknown' | 'accepted' | 'refused' | 'expired' | 'discarded'",
)
export type LedgerState = typeof ledgerState.infer

export const ledgerEntry = type({
  /** The change's id. */
  id: `string <= ${ID_MAX}`,
  /** Collection (RxDB reserves that word) and key of the record the change belongs to. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  kind: 'string',
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  savedAt: 'string',
  state: ledgerState,
  serverId: 'string',
  /** The CRM's reasons for a refusal: message keys or texts. */
  reasons: 'string[]',
  /** HTTP status of the last answer, 0 where there was none. */
  status: 'number',
  /** How often the CRM answered 5xx to this change. */
  serverErrors: 'number',
  /** What was sent last, as JSON text: kept with a refusal (sync RULES OC2). */
  payload: 'string',
  settledAt: 'string',
  /** What the user asked for; the sync module acts on it and sets it back to none. */
  wish: "'none' | 'resend' | 'discard'",
})
export type LedgerEntry = typeof ledgerEntry.infer
