/** In the chunk of React, so that its renderer runs in the task of that chunk: a CommonJS module runs where an ES module first imports it. */
export { hydrateRoot } from 'react-dom/client'
