/** Shows the HTML of a mail that the dashboard sends. Scripts set by `innerHTML` do not run, and the frame's policy allows no request. */
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && typeof data === 'string') document.documentElement.innerHTML = data;
});

// The frame's policy blocks where a link leads, and after that the frame shows nothing more.
addEventListener('click', (click) => {
  if (click.target instanceof Element && click.target.closest(':any-link')) click.preventDefault();
});
