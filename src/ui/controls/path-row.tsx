/**
 * Links to a path that is only known as text. They are separate from PathButton because the first screen does not need
 * them.
 */
import { ActionAnchor } from './action-bar.tsx'
import { IconAnchor, StatusAnchor } from './links.tsx'
import { createPathLink } from './path-link.tsx'

export const PathAction = createPathLink(ActionAnchor)
export const PathStatus = createPathLink(StatusAnchor)
export const PathIcon = createPathLink(IconAnchor)
