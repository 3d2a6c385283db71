/** What stands in the place of a list's rows, and after them: 読み込み中, 端末にありません, or that there is none. */
import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Away, ListStanding } from '#data/list-standing.ts'
import { useAskAgain } from '#data/use-ask-again.ts'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListEnd, Pad } from '#ui/layout/layout.tsx'
import { NotOnDevice } from '#ui/feedback/not-on-device.tsx'
import { ViewSkeleton } from '#ui/feedback/skeleton.tsx'

interface StandingProps {
  standing: ListStanding
  /** Where the list was read and is empty. */
  none: ReactNode
  /** Asks the CRM once more. */
  onRetry: () => void
}

/** On a screen of its own. */
export function ListScreenStanding({ standing, none, onRetry }: StandingProps) {
  const { t } = useLingui()
  const texts = useAwayTexts()
  switch (standing.state) {
    case 'rows':
      return (
        <>
          <Rest rest={standing.rest} />
          {standing.rest === 'failed' && <AskAgain onRetry={onRetry} />}
        </>
      )
    case 'none':
      return none
    case 'reading':
      return <ViewSkeleton />
    case 'absent':
      return <NotOnDevice />
    case 'failed':
      return (
        <Empty art="device" heading={t`読み込めませんでした`} advice={texts.failed} alert>
          <Button variant="primary" icon={RotateCw} onClick={onRetry}>{t`再読み込み`}</Button>
        </Empty>
      )
  }
}

/** In a popup: one line, and a way to ask again, for opening it anew asks for nothing. */
export function ListStandingLine({ standing, none }: Omit<StandingProps, 'onRetry'>) {
  const { t } = useLingui()
  const texts = useAwayTexts()
  const askAgain = useAskAgain()
  if (standing.state === 'none') return none
  const away = standing.state === 'rows' ? standing.rest : standing.state
  return (
    <>
      {standing.state === 'rows' ? (
        <Rest rest={standing.rest} />
      ) : (
        <p role={standing.state === 'reading' ? 'status' : undefined}>{texts[standing.state]}</p>
      )}
      {away === 'failed' && <Button icon={RotateCw} onClick={askAgain}>{t`再読み込み`}</Button>}
    </>
  )
}

/** Below rows of which some could not be read. */
export function AskAgain({ onRetry }: Pick<StandingProps, 'onRetry'>) {
  const { t } = useLingui()
  return (
    <Pad>
      <Button icon={RotateCw} onClick={onRetry}>{t`再読み込み`}</Button>
    </Pad>
  )
}

/** After rows that may not be all. */
function Rest({ rest }: { rest: Away | null }) {
  const { t } = useLingui()
  if (rest === null) return null
  if (rest === 'reading') return <ListEnd loading />
  return (
    <ListEnd>
      {rest === 'failed'
        ? t`ほかの分を読み込めませんでした`
        : t`端末にある分だけです。電波の届く場所で開くと、ほかの分も読み込みます`}
    </ListEnd>
  )
}

/** Where something is, in one word. */
export function useAwayWords(): Record<Away, string> {
  const { t } = useLingui()
  return { reading: t`読み込み中`, absent: t`端末にありません`, failed: t`読み込めません` }
}

/** Where something is, and what to do. */
export function useAwayTexts(): Record<Away, string> {
  const { t } = useLingui()
  return {
    reading: t`読み込み中`,
    absent: t`端末にありません。電波の届く場所で開くと読み込みます`,
    failed: t`読み込めませんでした。時間をおいて、もう一度開いてください`,
  }
}
