import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useOnline, useServices, useSession } from '#data/context/app-context.tsx'
import { isMissingCode } from '#lib/browser/missing-code.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'

export type ErrorKind = 'not-found' | 'forbidden' | 'internal-server-error' | 'not-on-device'

/** The screen for the errors 404, 403, 500 (spec 2) and for a failed download of code. */
export function ErrorPage({ kind }: { kind: ErrorKind }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const signedIn = useSession() !== null
  const { title, above = title, art, heading, advice } = useTexts()[kind]
  return (
    <Frame
      title={title}
      heading={above}
      long
      center
      footer={
        <ActionBar>
          {kind === 'forbidden' && signedIn && <ButtonLink to="/logout" tall>{t`ログアウト`}</ButtonLink>}
          {kind === 'internal-server-error' && (
            <ButtonLink to="/error-logs" tall>{t`エラーレポート`}</ButtonLink>
          )}
          {kind === 'not-on-device' && <OpenAgain />}
          <ButtonLink to="/request" variant="primary" wide>{t`依頼検索へ戻る`}</ButtonLink>
        </ActionBar>
      }
    >
      <Empty art={art} heading={heading} advice={advice} />
    </Frame>
  )
}

/** The screen for an error that another screen has thrown. */
export function FailedScreen({ error }: { error: unknown }) {
  return <ErrorPage kind={isMissingCode(error) ? 'not-on-device' : 'internal-server-error'} />
}

/** The button もう一度開く. Offline it only loads the route again, because reloading the page would fail. */
function OpenAgain() {
  const { t } = useLingui()
  const router = useRouter()
  const online = useOnline()
  return (
    <Button tall onClick={() => (online ? location.reload() : void router.invalidate())}>
      {t`もう一度開く`}
    </Button>
  )
}

function useTexts() {
  const { t } = useLingui()
  return {
    'not-found': {
      title: '404 Not Found',
      above: t`見つかりません（404 Not Found）`,
      art: 'sign',
      heading: t`ページが見つかりません`,
      advice: t`リンクが古いか、依頼が取り消された可能性があります。`,
    },
    forbidden: {
      title: '403 Forbidden',
      above: t`利用できません（403 Forbidden）`,
      art: 'sign',
      heading: t`このページは利用できません`,
      advice: t`利用できる権限がないか、電波がない可能性があります。`,
    },
    'internal-server-error': {
      title: '500 Internal Server Error',
      above: t`エラー（500 Internal Server Error）`,
      art: 'error',
      heading: t`エラーが発生しました`,
      advice: t`保存した内容は端末に残っています。しばらくしてからもう一度お試しください。`,
    },
    'not-on-device': {
      title: t`開けません`,
      above: undefined,
      art: 'device',
      heading: t`この画面はまだ端末にありません`,
      advice: t`電波の届く場所で「もう一度開く」を押してください。入力した内容と保存した内容は端末に残っています。`,
    },
  } as const
}
