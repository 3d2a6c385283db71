import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/pane.ts'

/** Shown in place of a screen whose data could not be opened; in the wide layout, in one of the two panes. */
export function StoresClosed({ why }: { why: string }) {
  const { t } = useLingui()
  if (usePane() === 'list') return null
  return (
    <Empty art="device" heading={t`端末の内容を開けません`} advice={why} alert>
      <Button variant="primary" onClick={() => location.reload()}>{t`読み込み直す`}</Button>
    </Empty>
  )
}
