import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useOnline, useServices, useSession, useLiveQuery } from '#data/app-context.tsx'
import { useBackOr } from '#data/use-back-or.ts'
import { pageTitle } from '#lib/browser/page-title.ts'
import { AppBar } from '#ui/layout/app-bar.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { ListEnd } from '#ui/layout/layout.tsx'
import { Screen } from '#ui/layout/screen.tsx'
import { ViewSkeleton } from '#ui/feedback/skeleton.tsx'
import { keptDrafts$ } from '#data/draft-list.ts'
import { outboxQuery } from '#data/first-queries.ts'

interface LogoutScreenProps {
  /** Kept for the login. */
  search: { redirect?: string }
  /** The session has ended by itself: the login asks for the same user. */
  timedOut?: boolean
}

/** ログアウト (spec 2): forgets the session and goes on to the login. What is unsent stays on the device, and it says so. */
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

/** Asks first with something that is on this device only, and without a signal: no login takes it back (sync RULES SV4). */
function AskThenLeave({ search }: Pick<LogoutScreenProps, 'search'>) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const backOr = useBackOr()
  const left = useLeftBehind()
  const online = useOnline()
  const [wasOffline] = useState(!online)
  const [sure, setSure] = useState(false)
  const question = useQuestion(left)
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

function useQuestion(left: ReturnType<typeof useLeftBehind>): string {
  const { t } = useLingui()
  const { unsent = 0, drafts = 0 } = left ?? {}
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
      // the session has gone, whatever failed after it: the next start destroys the key
      if (services.session.get() === null) return toLogin()
      services.flash.show('danger', failed)
      return navigate({ to: '/request', search: {}, replace: true })
    })
  }, [navigate, search, services, timedOut, failed])
  return <ListEnd>{t`ログイン画面へ遷移中...`}</ListEnd>
}

/** How long a logout waits for the device: one that cannot be read must not hold anybody. */
const LONGEST_MS = 3_000

interface LeftBehind {
  unsent: number
  drafts: number
}

const NOTHING: LeftBehind = { unsent: 0, drafts: 0 }

/** What of this user is on the device only; undefined until it was read, or cannot be. */
function useLeftBehind(): LeftBehind | undefined {
  const unsent = useLiveQuery(outboxQuery.key, outboxQuery.query)?.unsent
  const drafts = useLiveQuery('kept drafts', keptDrafts$)?.length
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LONGEST_MS)
    return () => clearTimeout(timer)
  }, [])
  if (unsent !== undefined && drafts !== undefined) return { unsent, drafts }
  return isLate ? NOTHING : undefined
}
