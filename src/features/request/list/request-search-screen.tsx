import { useLingui } from '@lingui/react/macro'
import { useServices } from '#data/context/app-context.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/screen.tsx'
import { SearchOrPick } from './search-or-pick.tsx'

/** The screen 依頼検索. In the wide layout a separate pane has the list, and this screen says that no request is chosen. */
export function RequestSearchScreen({ select }: { select: boolean }) {
  if (usePane() === 'view') return <NothingOpen />
  return <SearchOrPick select={select} currentKey={undefined} />
}

function NothingOpen() {
  const { t } = useLingui()
  const { Frame } = useServices()
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
