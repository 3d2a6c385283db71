import { useServices, useValue } from '#data/context/app-context.tsx'
import { CrmChoice } from '#ui/controls/crm-choice.tsx'
import { LoginBelow } from '#ui/layout/login-plate.tsx'

/** 接続先 on the login screen: the choice of the CRM to log in to (decisions/config). */
export function LoginCrms() {
  const { crms } = useServices()
  const all = useValue(crms)
  return (
    <LoginBelow>
      <CrmChoice crms={all} onChoose={crms.choose} />
    </LoginBelow>
  )
}
