/** Links to paths that are plain strings. PathButton is in another file, because the first screen needs only PathButton. */
import { ActionAnchor } from './action-bar.tsx'
import { IconAnchor, StatusAnchor } from './links.tsx'
import { createPathLink } from './path-link.tsx'

export const PathAction = createPathLink(ActionAnchor)
export const PathStatus = createPathLink(StatusAnchor)
export const PathIcon = createPathLink(IconAnchor)
