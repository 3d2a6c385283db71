import { useLingui } from '@lingui/react/macro'
import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/screen.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { LazyPickList } from './lazy-popups.ts'
import { SearchList } from './search-list.tsx'

/** The screen 依頼検索. In the wide layout a separate pane has the list, and this screen says that no request is chosen. */
export function RequestSearchScreen({ select }: { select: boolean }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  if (usePane() !== 'view') return <SearchOrPick select={select} currentKey={undefined} />
  return (
    <Frame title={t`依頼検索`} center>
      <Empty
        art="search"
        heading={t`依頼を選んでください`}
        advice={t`左の一覧から選ぶと、ここに表示されます。`}
      />
    </Frame>
  )
}

/**
 * 依頼検索 in the left pane of the wide layout.
 * @param currentKey `<requestId>_<workingDate>` of the visit in the view pane, or `<requestId>_` if its URL names no day
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const select = useMatch({
    from: '/_app/request/',
    shouldThrow: false,
    select: ({ search }) => search.select === true,
  })
  return <SearchOrPick select={select === true} currentKey={currentKey} />
}

function SearchOrPick({ select, currentKey }: { select: boolean; currentKey: string | undefined }) {
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
