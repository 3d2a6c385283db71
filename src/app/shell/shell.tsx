import { useLingui } from '@lingui/react/macro'
import { Outlet, useMatch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useOnline } from '#data/context/app-context.tsx'
import { Desk } from '#ui/layout/desk.tsx'
import { Rail } from '#ui/layout/rail.tsx'
import { useUnsent } from './frame.tsx'

/**
 * Layout of the screens behind login. From 900 px width, navigation rail, request list and current screen are side by
 * side; below, there is one screen at a time.
 */
export function Shell({ List }: { List: ComponentType<{ currentKey?: string }> }) {
  const { t } = useLingui()
  const online = useOnline()
  const unsent = useUnsent()
  const currentKey = useMatch({
    from: '/_app/request/$id',
    shouldThrow: false,
    // The selected value is a string. A match object would render the layout again for each popup.
    select: ({ params, search }) => `${params.id}_${search.workingDate ?? ''}`,
  })
  return (
    <Desk
      rail={<Rail online={online} {...unsent} />}
      list={<List {...(currentKey && { currentKey })} />}
      listLabel={t`依頼検索`}
    >
      <Outlet />
    </Desk>
  )
}
