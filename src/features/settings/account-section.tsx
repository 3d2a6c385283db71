import { useLingui } from '@lingui/react/macro'
import { LogOut } from 'lucide-react'
import { useId } from 'react'
import { UserFlag } from '#schemas/codes.ts'
import { useServices, useSession } from '#data/app-context.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Pad } from '#ui/layout.tsx'
import { SectionHead } from '#ui/section.tsx'

/** アカウント: who is signed in, and the way out, which asks where something is unsent. */
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
        <ButtonLink to="/logout" search={{}} variant="danger" tall wide icon={LogOut}>
          {t`ログアウト`}
        </ButtonLink>
      </Pad>
    </section>
  )
}
