import { useLingui } from '@lingui/react/macro'
import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { LazyPickList } from './lazy-popups.ts'
import { SearchList } from './search-list.tsx'

interface SearchOrPickProps {
  select: boolean
  /** `<requestId>_<workingDate>` of the visit in the view pane. The day may be ''. */
  currentKey: string | undefined
}

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

/**
 * 依頼検索 in the left pane of the wide layout.
 * @param currentKey `<requestId>_<workingDate>` of the visit in the view pane; the day may be ''
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const select = useMatch({
    from: '/_app/request/',
    shouldThrow: false,
    select: ({ search }) => search.select === true,
  })
  return <SearchOrPick select={select === true} currentKey={currentKey} />
}
