import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/pane.ts'

/** Replaces a screen whose data could not be opened. In the wide layout, the list column does not show it. */
export function StoresClosed({ why }: { why: string }) {
  const { t } = useLingui()
  if (usePane() === 'list') return null
  return (
    <Empty art="device" heading={t`端末の内容を開けません`} advice={why} alert>
      <Button variant="primary" onClick={() => location.reload()}>{t`読み込み直す`}</Button>
    </Empty>
  )
}
