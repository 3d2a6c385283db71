import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useOnline } from '#data/app-context.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { ListSkeleton } from '#ui/skeleton.tsx'
import type { Day } from './days.ts'
import { VisitDays, type VisitDaysProps } from './visit-days.tsx'

/** How long an empty device is believed to be still loading. */
const FIRST_LOAD_MS = 5_000

interface SearchResultsProps extends Omit<VisitDaysProps, 'days' | 'visitOf'> {
  /** undefined while the device is read */
  days: readonly Day[] | undefined
  visitOf: VisitDaysProps['visitOf'] | undefined
  /** The device holds no visit at all: after a first login they are on their way. */
  nothingYet: boolean
  onClear: () => void
}

/** The days, or a skeleton, or that there is nothing. */
export function SearchResults({ days, visitOf, nothingYet, onClear, ...list }: SearchResultsProps) {
  const { t, i18n } = useLingui()
  const loading = useFirstLoad(nothingYet)
  if (!days || !visitOf || loading) return <ListSkeleton />
  if (days.length > 0) return <VisitDays {...list} days={days} visitOf={visitOf} />
  return (
    <Empty
      art="search"
      heading={messageText(i18n, 'ec00002')}
      advice={t`作業日の範囲を広げるか、種別の絞り込みを外してください。`}
    >
      <Button tall onClick={onClear}>{t`条件をクリア`}</Button>
    </Empty>
  )
}

function useFirstLoad(nothingYet: boolean): boolean {
  const online = useOnline()
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    if (!nothingYet) return undefined
    const timer = setTimeout(() => setWaited(true), FIRST_LOAD_MS)
    return () => clearTimeout(timer)
  }, [nothingYet])
  return nothingYet && online && !waited
}
