import { useLingui } from '@lingui/react/macro'
import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { LazyPickList } from './lazy-popups.ts'
import { SearchList } from './search-list.tsx'

interface SearchOrPickProps {
  select: boolean
  /** `<requestId>_<workingDate>` of the visit in the view pane, or `<requestId>_` if its URL names no day. */
  currentKey: string | undefined
}

/** 依頼検索, or まとめて登録 if `select` is true. */
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

/** 依頼検索 in the left pane of the wide layout. @param currentKey as in `SearchOrPickProps` */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const select = useMatch({
    from: '/_app/request/',
    shouldThrow: false,
    select: ({ search }) => search.select === true,
  })
  return <SearchOrPick select={select === true} currentKey={currentKey} />
}
