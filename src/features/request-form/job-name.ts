import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { ContactType } from '#schemas/codes.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'

type Names = Partial<Record<string, MessageDescriptor>>

/** Names by collection and kind of change. Each is the title of the screen that saves the change. */
const NAMES: Record<PushCollection, Names | ((recordKey: string) => Names)> = {
  quickReports: { entry: msg`入館登録`, exit: msg`退館報告登録`, edit: msg`退館報告編集` },
  emergencyReports: { create: msg`緊急報告登録`, edit: msg`緊急報告編集` },
  safetyMeasures: { create: msg`安全対策登録`, edit: msg`安全対策編集` },
  customerLocationChangeRequests: {
    create: msg`入館・駐車場情報変更依頼登録`,
    edit: msg`入館・駐車場情報変更依頼編集`,
  },
  // The record key ends with the contact type (`contactChangeKey`).
  locationContactChangeRequests: (recordKey) =>
    recordKey.endsWith(ContactType.code.exit)
      ? { create: msg`退館連絡先変更依頼登録`, edit: msg`退館連絡先変更依頼編集` }
      : { create: msg`入館連絡先変更依頼登録`, edit: msg`入館連絡先変更依頼編集` },
  noteLocationAreas: { create: msg`現場メモ登録`, edit: msg`現場メモ編集` },
}

/** Returns a change's name, or its kind if it has none: 退館報告登録, or 退館報告登録（3件） if one save covers several requests. */
export function jobName(
  i18n: I18n,
  { resource, recordKey, kind }: { resource: string; recordKey: string; kind: string },
  groupSize = 1,
): string {
  const known = namesOf(resource, recordKey)[kind]
  const name = known ? i18n._(known) : kind
  return groupSize > 1 ? i18n._(msg`${name}（${groupSize}件）`) : name
}

function namesOf(resource: string, recordKey: string): Names {
  if (!isPushCollection(resource)) return {}
  const names = NAMES[resource]
  return typeof names === 'function' ? names(recordKey) : names
}

/** Returns an unsent change as parameters of `jobName`. */
export const nameable = ({ record, change }: QueueItem) => ({
  resource: record.resource,
  recordKey: record.key,
  kind: change.kind,
})
