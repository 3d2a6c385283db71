import { useMatch } from '@tanstack/react-router'
import { SearchOrPick } from './search-or-pick.tsx'

/**
 * 依頼検索 in the left pane of the wide layout.
 * @param currentKey `requestId_workingDate` of the visit in the view pane; the day may be empty
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const select = useMatch({
    from: '/_app/request/',
    shouldThrow: false,
    select: ({ search }) => search.select === true,
  })
  return <SearchOrPick select={select === true} currentKey={currentKey} />
}
