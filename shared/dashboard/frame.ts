/** Shows the HTML of a mail that the dashboard sends. Scripts set by `innerHTML` do not run, and the frame's policy allows no request. */
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && typeof data === 'string') document.documentElement.innerHTML = data;
});
