import { useLingui } from '@lingui/react/macro'
import type { RequestRecord } from '#schemas/request.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { PhoneLink } from '#ui/mini.tsx'
import { Sheet } from '#ui/sheet.tsx'

interface InContactSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 入館連絡先. */
export function InContactSheet({ request, onClose }: InContactSheetProps) {
  const { t } = useLingui()
  const contact = request.inLocationContact
  const rows = [
    { label: t`入館連絡先名`, value: contact?.name },
    { label: t`入館連絡先フリガナ`, value: contact?.kana },
    { label: t`部署`, value: contact?.section },
    { label: t`役職`, value: contact?.class },
    { label: t`担当者名`, value: contact?.staffName },
    { label: t`連絡手段`, value: contact?.means },
    { label: t`メールアドレス`, value: contact?.email },
    {
      label: t`電話番号`,
      value: contact?.tel1,
      action: contact?.tel1 && <PhoneLink number={contact.tel1} />,
    },
  ]
  return (
    <Sheet heading={t`入館連絡先`} onClose={onClose}>
      <Brief>
        {rows.map(({ label, value, action }) => (
          <BriefItem key={label} label={label} action={action}>
            {value || t`なし`}
          </BriefItem>
        ))}
      </Brief>
    </Sheet>
  )
}
