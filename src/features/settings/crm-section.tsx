import { useServices, useValue } from '#data/app-context.tsx'
import { CrmChoice } from '#ui/crm-choice.tsx'

/** 接続先: only where there are several (decisions/config). */
export function CrmSection() {
  const { crms } = useServices()
  const all = useValue(crms)
  if (all.length === 0) return null
  return (
    <CrmChoice
      crms={all.map((crm) => ({ ...crm, isGone: crm.session === 'removed' }))}
      onChoose={crms.choose}
    />
  )
}
