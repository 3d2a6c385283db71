import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useServices } from '#data/app-context.tsx'
import { pageTitle } from '#lib/page-title.ts'
import { AppBar } from '#ui/app-bar.tsx'
import { ListEnd } from '#ui/layout.tsx'
import { Screen } from '#ui/screen.tsx'

interface LogoutScreenProps {
  /** Kept for the login. */
  search: { redirect?: string }
  /** The session has ended by itself: the login asks for the same user. */
  timedOut?: boolean
}

/** ログアウト (spec 2): forgets the session and goes on to the login. What is unsent stays on the device. */
export function LogoutScreen({ search, timedOut = false }: LogoutScreenProps) {
  const { t } = useLingui()
  const services = useServices()
  const navigate = useNavigate()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const left = timedOut ? Promise.resolve() : services.signOut()
    void left.then(() => navigate({ to: '/login', search, replace: true }))
  }, [navigate, search, services, timedOut])
  return (
    <>
      <title>{pageTitle(t`ログアウト`, services.appName)}</title>
      <Screen header={<AppBar title={t`ログアウト`} />} center>
        <ListEnd>{t`ログイン画面へ遷移中...`}</ListEnd>
      </Screen>
    </>
  )
}
