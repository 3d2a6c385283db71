import { useLingui } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useOnline, useServices, useSession, useValue } from '#data/context/app-context.tsx'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import longText from '#ui/feedback/long-text.module.css'

/** The screen エラーレポート (spec 2): the number of errors on this device, and a button that sends them. */
export function ErrorLogsScreen() {
  const { t } = useLingui()
  const { Frame, errorLog } = useServices()
  const count = useValue(errorLog)
  return (
    <Frame
      title={t`エラーレポート`}
      back={<BackLink to="/request" />}
      center={count !== null}
      footer={count !== null && count > 0 && <SendBar />}
    >
      {count === null && <ViewSkeleton />}
      {count === 0 && (
        <Empty
          art="done"
          heading={t`エラーは発生していません`}
          advice={t`エラーレポートを送信する必要はありません。`}
        />
      )}
      {count !== null && count > 0 && (
        <>
          <Empty
            art="error"
            heading={t`エラーが${count}件記録されています`}
            advice={t`日時、ユーザー、エラーの内容、ブラウザーとOSを送信します。送信した記録は端末から消えます。`}
          />
          <SentText count={count} />
        </>
      )}
    </Frame>
  )
}

function SentText({ count }: { count: number }) {
  const { t } = useLingui()
  const { errorLog } = useServices()
  const [text, setText] = useState('')
  const failed = t`内容を表示できませんでした。`
  // A failed read is not logged here: the new log entry would start this effect again, without end.
  useEffect(() => void errorLog.text().then(setText, () => setText(failed)), [errorLog, count, failed])
  return (
    <details className={longText.text}>
      <summary>{t`送信する内容を見る`}</summary>
      <pre>{text}</pre>
    </details>
  )
}

function SendBar() {
  const { t, i18n } = useLingui()
  const online = useOnline()
  const session = useSession()
  const { errorLog, flash } = useServices()
  const [busy, setBusy] = useState(false)
  const showResult = {
    sent: () => flash.show('email', messageText(i18n, 'errorLogSent')),
    offline: () =>
      flash.show('warning', t`電波がないため送信できませんでした。記録は端末に残っています。`, 'offline'),
    failed: () => flash.show('danger', t`エラーレポートを送信できませんでした。記録は端末に残っています。`),
  }
  const send = async () => {
    if (busy) return
    setBusy(true)
    const sent = await errorLog.send().catch((error: unknown) => {
      errorLog.note(error)
      return 'failed' as const
    })
    showResult[sent]()
    setBusy(false)
  }
  if (!session || session.expired)
    return (
      <ActionBar>
        <ButtonLink to="/login" search={{ redirect: '/error-logs' }} variant="primary" wide>
          {t`ログインして送信`}
        </ButtonLink>
      </ActionBar>
    )
  return (
    <ActionBar hint={online ? undefined : t`電波の届く場所で送信できます。`}>
      <Button variant="primary" wide icon={Send} busy={busy} disabled={!online} onClick={() => void send()}>
        {t`エラーレポートを送信`}
      </Button>
    </ActionBar>
  )
}
