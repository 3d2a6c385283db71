import { useLingui } from '@lingui/react/macro'
import type { Visit } from '#data/visits.ts'
import { useToday } from '#data/use-now.ts'
import { dayText } from '#lib/tokyo-time.ts'
import { ButtonLink } from '#ui/button.tsx'
import { PairBar } from '#ui/layout.tsx'

interface DaySwitcherProps {
  days: readonly Visit[]
  shown: Visit
}

/** The days of a request that takes several. */
export function DaySwitcher({ days, shown }: DaySwitcherProps) {
  const { t } = useLingui()
  const today = useToday()
  if (days.length < 2) return null
  return (
    <nav aria-label={t`作業日の切り替え`}>
      <PairBar>
        {days.map(({ request: { id, key, workingDate } }) => (
          <ButtonLink
            key={key}
            to="/request/$id"
            params={{ id }}
            search={{ workingDate }}
            replace
            variant={key === shown.request.key ? 'primary' : 'quiet'}
            current={key === shown.request.key ? 'date' : undefined}
          >
            {dayText(workingDate, today)}
          </ButtonLink>
        ))}
      </PairBar>
    </nav>
  )
}
