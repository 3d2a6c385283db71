/** What the CRM refuses is said at once, as a danger flash (spec 8: 202, 400, 404, 422); 送信状況 keeps it. */
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Subscription } from 'rxjs'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import type { Database } from '#data/database.ts'
import { jobName } from '#features/outbox/job-texts.ts'
import { refusalText } from '#messages/reason-text.ts'

/** @param tell called once for each refusal; those of earlier runs of the app were told then */
export function watchRefusals(db: Database, i18n: I18n, tell: (text: string) => void): Subscription {
  let known: ReadonlySet<string> | null = null
  return db.ledger.find({ selector: { state: 'refused' } }).$.subscribe((docs) => {
    const before = known
    known = new Set(docs.map(refusal))
    if (!before) return
    for (const doc of docs) if (!before.has(refusal(doc))) tell(textOf(i18n, doc.toJSON() as LedgerEntry))
  })
}

/** The same change may be refused again, after 再送. */
const refusal = ({ id, settledAt }: Pick<LedgerEntry, 'id' | 'settledAt'>) => `${id} ${settledAt}`

function textOf(i18n: I18n, entry: LedgerEntry): string {
  const reason = refusalText(i18n, entry)
  if (entry.resource === PHOTOS) return reason
  const name = jobName(i18n, entry)
  return i18n._(msg`${name}：${reason}`)
}
