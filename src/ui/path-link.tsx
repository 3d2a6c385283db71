import { useRouter } from '@tanstack/react-router'
import type { ComponentType, MouseEvent } from 'react'
import { ActionAnchor } from './action-bar.tsx'
import { ButtonAnchor } from './button.tsx'
import { StatusAnchor } from './links.tsx'

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
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
      if (elsewhere || event.defaultPrevented) return
      event.preventDefault()
      history.push(path)
    },
  }
}

/** An anchor component as a link to `path`, as createLink is for a typed route. */
function createPathLink<Props extends object>(Anchor: ComponentType<Props>) {
  return function PathLink({ path, ...props }: Omit<Props, keyof PathAnchor> & { path: string }) {
    const anchor = usePathAnchor(path)
    return <Anchor {...(props as unknown as Props)} {...anchor} />
  }
}

export const PathButton = createPathLink(ButtonAnchor)
export const PathAction = createPathLink(ActionAnchor)
export const PathStatus = createPathLink(StatusAnchor)
