import { useRouter } from '@tanstack/react-router'
import type { ComponentType, MouseEvent } from 'react'
import { ButtonAnchor } from './button.tsx'
import { isPlainClick } from './plain-click.ts'
import { pushOnce } from '#ui/popup/push-once.ts'

interface PathAnchor {
  href: string
  onClick: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** The attributes of a link to a path of this app that is known as text only. */
function usePathAnchor(path: string): PathAnchor {
  const { history } = useRouter()
  return {
    href: path,
    onClick(event) {
      if (!isPlainClick(event) || event.defaultPrevented) return
      event.preventDefault()
      pushOnce(history, path)
    },
  }
}

/** An anchor component as a link to `path`, as createLink is for a typed route. */
export function createPathLink<Props extends object>(Anchor: ComponentType<Props>) {
  return function PathLink({ path, ...props }: Omit<Props, keyof PathAnchor> & { path: string }) {
    const anchor = usePathAnchor(path)
    // TypeScript does not see that Props without a part and with that part again are Props
    const rest: object = props
    return <Anchor {...(rest as Props)} {...anchor} />
  }
}

export const PathButton = createPathLink(ButtonAnchor)
