import { useLingui } from '@lingui/react/macro'
import { useServices, useSession } from '#data/app-context.tsx'
import { ActionBar } from '#ui/action-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'

export type ErrorKind = 'not-found' | 'forbidden' | 'internal-server-error'

/** 404, 403 and 500 (spec 2): what happened, what one can do, the way back. */
export function ErrorPage({ kind }: { kind: ErrorKind }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const signedIn = useSession() !== null
  const { title, art, heading, advice } = useTexts()[kind]
  return (
    <Frame
      title={title}
      long
      center
      footer={
        <ActionBar>
          {kind === 'forbidden' && signedIn && <ButtonLink to="/logout" tall>{t`ログアウト`}</ButtonLink>}
          {kind === 'internal-server-error' && (
            <ButtonLink to="/error-logs" tall>{t`エラーレポート`}</ButtonLink>
          )}
          <ButtonLink to="/request" variant="primary" wide>{t`依頼検索へ戻る`}</ButtonLink>
        </ActionBar>
      }
    >
      <Empty art={art} heading={heading} advice={advice} />
    </Frame>
  )
}

function useTexts() {
  const { t } = useLingui()
  return {
    'not-found': {
      title: t`見つかりません（404 Not Found）`,
      art: 'sign',
      heading: t`ページが見つかりません`,
      advice: t`リンクが古いか、依頼が取り消された可能性があります。`,
    },
    forbidden: {
      title: t`利用できません（403 Forbidden）`,
      art: 'sign',
      heading: t`このページは利用できません`,
      advice: t`利用できる権限がないか、電波がない可能性があります。`,
    },
    'internal-server-error': {
      title: t`エラー（500 Internal Server Error）`,
      art: 'error',
      heading: t`エラーが発生しました`,
      advice: t`保存した内容は端末に残っています。しばらくしてからもう一度お試しください。`,
    },
  } as const
}
