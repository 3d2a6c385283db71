import { useLingui } from '@lingui/react/macro'
import { Outlet, useMatch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useOnline } from '#data/context/app-context.tsx'
import { Desk } from '#ui/layout/desk.tsx'
import { Rail } from '#ui/layout/rail.tsx'
import { useUnsent } from './frame.tsx'

/**
 * Layout of the screens behind login: from 900 px width rail, list and record side by side, otherwise one screen at a
 * time.
 */
export function Shell({ List }: { List: ComponentType<{ currentKey?: string }> }) {
  const { t } = useLingui()
  const online = useOnline()
  const unsent = useUnsent()
  const currentKey = useMatch({
    from: '/_app/request/$id',
    shouldThrow: false,
    // A string is selected, because the router makes a new match object for each popup, which would render the layout
    // again.
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
