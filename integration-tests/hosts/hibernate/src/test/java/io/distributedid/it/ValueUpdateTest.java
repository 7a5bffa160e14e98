package io.distributedid.it;

import io.distributedid.testkit.EmbeddedUpdateContract;

class EmbeddedUpdateTest extends EmbeddedUpdateContract {}
