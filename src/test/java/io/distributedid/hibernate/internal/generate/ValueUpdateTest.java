package io.distributedid.hibernate.internal.generate;

import io.distributedid.testkit.EmbeddedUpdateContract;

class EmbeddedUpdateTest extends EmbeddedUpdateContract {}
