/** Change requests on the device, for the tests of screens: what the CRM confirmed, and what was saved over it. */
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { CustomerLocationRecord } from '#schemas/resources/customer-location-change-request.ts'
import type { SendFacts } from '#schemas/change.ts'
import {
  contactChangeKey,
  type ContactChangeRecord,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import type { ChangeCollection } from '#data/resources/change-requests.ts'
import type { Database } from '#data/database/database.ts'
import { storeFacts, storeView } from './stored-views.ts'

/** What a record starts from. */
interface Stored<Content> {
  /** As the CRM confirmed it; without it the CRM has none. */
  server?: Content
  editStatus?: 'OK' | 'NG'
  /** Saved here and not acknowledged, and where it stands. */
  saved?: Content
  kind?: 'create' | 'edit'
  progress?: Partial<SendFacts>
}

const SAVED_AT = '2026-11-20T11:00:00+09:00'

function parts<Content>(id: string, { server, editStatus = 'OK', saved, kind }: Stored<Content>) {
  const change = saved && {
    id: `change-${id}`,
    stamp: '1100-0000-test',
    savedAt: SAVED_AT,
    userId: 'u6',
    offline: true,
    kind: kind ?? (server ? ('edit' as const) : ('create' as const)),
    fields: saved,
  }
  return {
    serverId: server ? id : '',
    ...(server && { server: { ...server, id, editStatus, detailed: true, stamp: '' } }),
    changes: change ? [change] : [],
    unsent: change ? ('yes' as const) : ('no' as const),
  }
}

async function storeLedger(
  db: Database,
  resource: ChangeCollection,
  record: CustomerLocationRecord | ContactChangeRecord,
  over: Partial<SendFacts> | undefined,
) {
  const [change] = record.changes
  if (over && change)
    await storeFacts(db, { ...blankFacts({ record: { resource, ...record }, change }), ...over })
}

export const LOCATION: CustomerLocationRecord['changes'][number]['fields'] = {
  parkingType: '1',
  parkingMethod: '搬入口B横の2番',
  inMethod: '防災センターで受付後、鍵を受け取る',
}

/** 入館・駐車場情報変更依頼 of request 1; the CRM knows it as `c1`. */
export async function storeLocation(
  db: Database,
  stored: Stored<CustomerLocationRecord['changes'][number]['fields']>,
): Promise<void> {
  const record: CustomerLocationRecord = { key: '1', requestId: '1', workingDate: '', ...parts('c1', stored) }
  await storeView(db, 'customerLocationChangeRequests', record)
  await storeLedger(db, 'customerLocationChangeRequests', record, stored.progress)
}

export const CONTACT: ContactChangeRecord['changes'][number]['fields'] = {
  name: '防災センター',
  kana: 'ﾎﾞｳｻｲｾﾝﾀｰ',
  section: '設備管理課',
  class: '課長',
  staffName: '佐藤',
  means: '代表電話',
  email: 'kanri@example.jp',
  tel1: '03-5550-0199',
}

/** 連絡先変更依頼 of request 1; the CRM knows it as `k02` or `k03`. */
export async function storeContact(
  db: Database,
  contactType: ContactTypeCode,
  stored: Stored<ContactChangeRecord['changes'][number]['fields']>,
): Promise<void> {
  const record: ContactChangeRecord = {
    key: contactChangeKey('1', contactType),
    requestId: '1',
    workingDate: '',
    contactType,
    ...parts(`k${contactType}`, stored),
  }
  await storeView(db, 'locationContactChangeRequests', record)
  await storeLedger(db, 'locationContactChangeRequests', record, stored.progress)
}
