import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { LazyPickList } from './lazy-popups.ts'
import { SearchList } from './search-list.tsx'

interface SearchOrPickProps {
  select: boolean
  /** `requestId_workingDate` of the visit in the view pane; the day may be empty. */
  currentKey: string | undefined
}

/** The list, or まとめて登録 instead of it. */
export function SearchOrPick({ select, currentKey }: SearchOrPickProps) {
  const { t } = useLingui()
  const { Frame } = useServices()
  if (!select) return <SearchList currentKey={currentKey} />
  const waiting = (
    <Frame title={t`依頼検索`}>
      <ListSkeleton />
    </Frame>
  )
  return (
    <Suspense fallback={waiting}>
      <LazyPickList />
    </Suspense>
  )
}
