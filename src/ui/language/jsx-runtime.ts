/** What JSX becomes in a build (`jsxImportSource` in vite.config.ts): React's, after the texts are marked. */
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { drawnProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, drawnProps(type, props as Props), key)

export const jsxs: typeof reactJsxs = (type, props, key) =>
  reactJsxs(type, drawnProps(type, props as Props), key)
