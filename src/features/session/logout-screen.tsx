import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useOnline, useServices, useSession, useLiveQuery } from '#data/context/app-context.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { pageTitle } from '#lib/browser/page-title.ts'
import { AppBar } from '#ui/layout/app-bar.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'
import { ListEnd } from '#ui/layout/layout.tsx'
import { Screen } from '#ui/layout/screen.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { outboxQuery } from '#data/visits/first-queries.ts'

interface LogoutScreenProps {
  search: { redirect?: string }
  /** True if the session has expired. The login then requires the same user. */
  timedOut?: boolean
}

/** The screen ログアウト (spec 2): ends the session and opens the login. It says that unsent changes stay on the device. */
export function LogoutScreen({ search, timedOut = false }: LogoutScreenProps) {
  const { t } = useLingui()
  const services = useServices()
  const signedIn = useSession() !== null
  return (
    <>
      <title>{pageTitle(t`ログアウト`, services.appName)}</title>
      <Screen header={<AppBar title={t`ログアウト`} />} center>
        {timedOut || !signedIn ? (
          <Leave search={search} timedOut={timedOut} />
        ) : (
          <AskThenLeave search={search} />
        )}
      </Screen>
    </>
  )
}

/** Asks first if data exists only on this device, or if a new login is impossible offline (sync RULES SV4). */
function AskThenLeave({ search }: Pick<LogoutScreenProps, 'search'>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const backOr = useBackOr()
  const left = useLeftBehind()
  const online = useOnline()
  const [wasOffline] = useState(!online)
  const [sure, setSure] = useState(false)
  const question = useQuestion(left ?? NOTHING)
  if (!left) return <ViewSkeleton />
  const asks = wasOffline || left.unsent + left.drafts > 0
  if (sure || !asks) return <Leave search={search} timedOut={false} />
  return (
    <ConfirmSheet
      question={question}
      onYes={() => setSure(true)}
      onNo={() => void backOr(() => navigate({ to: '/request', search: {}, replace: true }))}
    >
      {wasOffline && (
        <p>{t`読み込んだ依頼は端末から消えます。電波の届く場所でログインするまで、依頼を見ることも登録することもできません。`}</p>
      )}
    </ConfirmSheet>
  )
}

function useQuestion({ unsent, drafts }: typeof NOTHING): string {
  const { t } = useLingui()
  if (unsent + drafts === 0) return t`電波がありません。ログアウトしますか？`
  if (drafts === 0) return t`未送信の変更が${unsent}件あります。端末に残したままログアウトしますか？`
  if (unsent === 0) return t`入力途中の内容が${drafts}件あります。端末に残したままログアウトしますか？`
  return t`未送信の変更が${unsent}件、入力途中の内容が${drafts}件あります。端末に残したままログアウトしますか？`
}

function Leave({ search, timedOut }: Required<LogoutScreenProps>) {
  const { t } = useLingui()
  const services = useServices()
  const navigate = useNavigate()
  const begun = useRef(false)
  const failed = t`ログアウトできませんでした。もう一度お試しください。`
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const left = timedOut ? Promise.resolve() : services.signOut()
    const toLogin = () => navigate({ to: '/login', search, replace: true })
    void left.then(toLogin, (error: unknown) => {
      services.errorLog.note(error)
      // A later step failed. The next start of the app deletes the user's encryption key.
      if (services.session.get() === null) return toLogin()
      services.flash.show('danger', failed)
      return navigate({ to: '/request', search: {}, replace: true })
    })
  }, [navigate, search, services, timedOut, failed])
  return <ListEnd>{t`ログイン画面へ遷移中...`}</ListEnd>
}

/** Maximum time in ms that the logout waits for the device, because unreadable storage must not block it. */
const LONGEST_MS = 3_000

const NOTHING = { unsent: 0, drafts: 0 }

/** Returns the numbers of 送信状況 (sync RULES ST1a); undefined until the database is read. */
function useLeftBehind() {
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const isLate = useLater(LONGEST_MS)
  if (outbox) return { unsent: outbox.unsent, drafts: outbox.drafts.length }
  return isLate ? NOTHING : undefined
}
