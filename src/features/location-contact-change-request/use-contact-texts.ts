import { useLingui } from '@lingui/react/macro'
import { ContactType } from '#schemas/codes.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'

/** Returns the titles and field labels of a contact's change request, which differ for entry and exit. */
export function useContactTexts(contactType: ContactTypeCode) {
  const { t } = useLingui()
  const shared = {
    section: t`部署`,
    class: t`役職`,
    staffName: t`担当者名`,
    means: t`連絡手段`,
    email: t`メールアドレス`,
    tel1: t`電話番号`,
  }
  return contactType === ContactType.code.entry
    ? {
        subject: t`入館連絡先変更依頼`,
        add: t`入館連絡先変更依頼登録`,
        edit: t`入館連絡先変更依頼編集`,
        view: t`入館連絡先変更依頼詳細`,
        labels: { name: t`入館連絡先名`, kana: t`入館連絡先フリガナ`, ...shared },
      }
    : {
        subject: t`退館連絡先変更依頼`,
        add: t`退館連絡先変更依頼登録`,
        edit: t`退館連絡先変更依頼編集`,
        view: t`退館連絡先変更依頼詳細`,
        labels: { name: t`退館連絡先名`, kana: t`退館連絡先フリガナ`, ...shared },
      }
}
