import { useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { PHOTO_READ_MAX_MB } from '#schemas/limits.ts'
import { RECEIVED_MAX, type LeftPhotos } from '#lib/received-left.ts'
import { messageText } from '#messages/messages.ts'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'

/** One line for each reason why shared files were not accepted, with advice. */
export function LeftNotice({ left }: { left: readonly LeftPhotos[] }) {
  const { t, i18n } = useLingui()
  const reasons: Record<LeftPhotos['why'], string> = {
    ec00015: messageText(i18n, 'ec00015'),
    ec00016: messageText(i18n, 'ec00016', { n: PHOTO_READ_MAX_MB }),
    full: t`待っている写真が上限（${RECEIVED_MAX}枚、合計200MB）に達しています。フォームに追加するか破棄してから、もう一度共有してください。`,
    room: t`端末の空き容量が足りません。空きを増やしてから、もう一度共有してください。`,
    login: t`ログインの前に共有された写真は受け取れません。もう一度共有してください。`,
    worker: t`アプリの準備ができていなかったため、受け取れませんでした。もう一度共有してください。`,
    failed: t`写真を読み込めませんでした。もう一度共有してください。`,
  }
  return left.map(({ why, n }) => {
    const reason = reasons[why]
    return <Warning key={why}>{n > 0 ? t`受け取れなかったファイル ${n}件：${reason}` : reason}</Warning>
  })
}

/** The line about photos that cannot be decrypted, because they were shared before the password was changed. */
export function UnreadableNotice({ n }: { n: number }) {
  const { t } = useLingui()
  if (n === 0) return null
  return (
    <Warning>{t`${n}枚は、以前のパスワードで封印されているため開けません。もう一度共有してください。`}</Warning>
  )
}

const Warning = ({ children }: { children: string }) => (
  <Pad>
    <p role="alert">
      <Mark icon={TriangleAlert} tone="warn">
        {children}
      </Mark>
    </p>
  </Pad>
)
