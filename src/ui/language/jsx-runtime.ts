/**
 * The JSX runtime of a build (`jsxImportSource` in vite.config.ts). It localizes texts (`marked-text.ts`), then calls
 * React's runtime.
 */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { localizedProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, localizedProps(type, props as Props), key)

export const jsxs: typeof reactJsxs = (type, props, key) =>
  reactJsxs(type, localizedProps(type, props as Props), key)
