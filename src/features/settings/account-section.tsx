import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { UserFlag } from '#schemas/codes.ts'
import { useLiveQuery, useServices, useSession } from '#data/app-context.tsx'
import { OUTBOX_KEY, outbox$ } from '#data/outbox.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Pad } from '#ui/layout.tsx'
import { SectionHead } from '#ui/section.tsx'

/** アカウント: who is signed in, and the way out. */
export function AccountSection() {
  const { t } = useLingui()
  const { version } = useServices()
  const user = useSession()?.userInfo
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{t`アカウント`}</SectionHead>
      <Defs>
        <Def label={t`ユーザー`}>{user?.loginUserName}</Def>
        <Def label={t`役割`}>{user && UserFlag.label(String(user.userFlag))}</Def>
        <Def label={t`バージョン`}>
          <span className="num">{version}</span>
        </Def>
      </Defs>
      <Pad>
        <LogoutButton />
      </Pad>
    </section>
  )
}

/**
 * With unsent changes it asks: they stay on the device, for the same user's next login (sync RULES SV4). A tap before the
 * queue was read waits for it; where it cannot be read, a second tap leaves.
 */
function LogoutButton() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const count = useLiveQuery(OUTBOX_KEY, outbox$)?.unsent
  const leave = () => void navigate({ to: '/logout' })
  useEffect(() => {
    if (asked && count === 0) void navigate({ to: '/logout' })
  }, [asked, count, navigate])
  return (
    <>
      <Button
        variant="danger"
        tall
        wide
        icon={LogOut}
        onClick={asked && count === undefined ? leave : () => setAsked(true)}
      >
        {t`ログアウト`}
      </Button>
      {asked && count !== undefined && count > 0 && (
        <ConfirmSheet
          question={t`未送信の変更が${count}件あります。端末に残したままログアウトしますか？`}
          onYes={leave}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  )
}
